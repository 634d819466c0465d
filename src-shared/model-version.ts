/** Goes up whenever a model change can change a number; part of a run's identity. */
export const MODEL_VERSION = '2026.12.2'
