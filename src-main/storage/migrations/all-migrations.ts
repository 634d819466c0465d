import type { Migration } from '#main/storage/migrate.ts'
import { history } from '#main/storage/migrations/0001-history.ts'
import { drafts } from '#main/storage/migrations/0002-drafts.ts'
import { experimentKinds } from '#main/storage/migrations/0003-experiment-kinds.ts'
import { activity } from '#main/storage/migrations/0004-activity.ts'

/** In order, append only. */
export const allMigrations: readonly Migration[] = [history, drafts, experimentKinds, activity]
