import deepSeek16b from '#resources/presets/models/deepseek-v3-16b.json' with { type: 'json' }
import deepSeek671b from '#resources/presets/models/deepseek-v3-671b.json' with { type: 'json' }
import qwen7b from '#resources/presets/models/qwen-7b.json' with { type: 'json' }
import type { Preset } from '#shared/presets/preset.ts'
import { modelSchema, type ModelConfig } from '#shared/schema/model.ts'

export const modelPresets: readonly Preset<ModelConfig>[] = [deepSeek671b, deepSeek16b, qwen7b].map(
  preset => ({ ...preset, config: modelSchema.parse(preset.config) }),
)
