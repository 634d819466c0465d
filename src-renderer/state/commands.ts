/** A thing that can be done by keyboard: from the command palette or by its shortcut. */
export interface Command {
  readonly id: CommandId
  readonly label: string
  readonly group: string
  /** Shortcuts until the person sets others, in the form of `shortcutOf`. */
  readonly shortcuts: readonly string[]
}

const entries = {
  'palette.open': { label: 'Command palette', group: 'General', shortcuts: ['Mod+K'] },
  'go.lab': { label: 'Lab', group: 'Go to', shortcuts: ['Alt+Shift+L'] },
  'go.wafer': { label: 'Wafer', group: 'Go to', shortcuts: ['Alt+Shift+W'] },
  'go.studies': { label: 'Studies', group: 'Go to', shortcuts: ['Alt+Shift+S'] },
  'go.history': { label: 'History', group: 'Go to', shortcuts: ['Alt+Shift+H'] },
  'go.compare': { label: 'Compare', group: 'Go to', shortcuts: ['Alt+Shift+C'] },
  'go.validation': { label: 'Validation', group: 'Go to', shortcuts: ['Alt+Shift+V'] },
  'go.trash': { label: 'Trash', group: 'Go to', shortcuts: [] },
  'go.docs': { label: 'Documentation', group: 'Go to', shortcuts: ['F1'] },
  'go.settings': { label: 'Settings', group: 'Go to', shortcuts: ['Mod+,'] },
  'run.start': { label: 'Run', group: 'Page', shortcuts: ['Mod+Enter'] },
  'edit.undo': { label: 'Undo', group: 'Page', shortcuts: ['Mod+Z'] },
  'edit.redo': { label: 'Redo', group: 'Page', shortcuts: ['Mod+Shift+Z', 'Mod+Y'] },
  'theme.system': { label: 'Theme as the system', group: 'General', shortcuts: [] },
  'theme.light': { label: 'Light theme', group: 'General', shortcuts: [] },
  'theme.dark': { label: 'Dark theme', group: 'General', shortcuts: [] },
} as const satisfies Record<string, Omit<Command, 'id'>>

export type CommandId = keyof typeof entries

/** Every command, in the order of the palette. */
export const commands: readonly Command[] = Object.entries(entries).map(([id, command]) => ({
  id: id as CommandId,
  ...command,
}))
