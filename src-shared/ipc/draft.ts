import { z } from '#shared/schema/zod.ts'

/** The pages that keep a draft. */
export const draftPages = ['lab', 'wafer'] as const
export type DraftPage = (typeof draftPages)[number]

/** How many steps of a draft are kept for undo. */
export const draftDepth = 200

const longestState = 200_000

/** A draft's content is the page's own matter; main keeps it as it is, if it is not too long. */
const draftState = z.json().refine(state => JSON.stringify(state).length <= longestState, {
  error: `must be at most ${String(longestState)} characters of JSON`,
})

const draftKey = {
  page: z.enum(draftPages),
  /** A window: two windows edit two drafts. */
  session: z.string().regex(/^[\w-]{1,64}$/),
}

export const draftKeySchema = z.strictObject(draftKey)
export type DraftKey = z.infer<typeof draftKeySchema>

export const keepDraftSchema = z.strictObject({
  ...draftKey,
  /** Which state is shown: counted from the first edit of the draft. */
  position: z.int().min(0),
  /** The state at this position, where it is new; states after it are forgotten then. */
  state: draftState.optional(),
  /** What the draft is compared with to say whether it was saved. */
  saved: draftState.optional(),
})
export type KeepDraft = z.infer<typeof keepDraftSchema>

/** A draft with its steps, oldest first. */
export const keptDraftSchema = z.object({
  position: z.int(),
  /** Position of the first of `states`. */
  first: z.int(),
  states: z.array(z.unknown()),
  saved: z.unknown(),
})
export type KeptDraft = z.infer<typeof keptDraftSchema>
