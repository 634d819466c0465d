import type { Migration } from '#main/storage/migrate.ts'

/** Not only kernels are kept but deployments of a model as well. */
export const experimentKinds: Migration = {
  version: 3,
  name: 'experiment-kinds',
  up: db => {
    db.exec(`
      -- Of a deployment spec_json is its input, chip_name the system and workload_name the model.
      ALTER TABLE experiment ADD COLUMN kind TEXT NOT NULL DEFAULT 'attention'
        CHECK (kind IN ('attention', 'decode'));
    `)
  },
}
