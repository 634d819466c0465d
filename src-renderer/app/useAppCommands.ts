import { useRouter } from 'vue-router'
import { useCommands } from '#renderer/composables/useCommands.ts'
import { useShortcutKeys } from '#renderer/composables/useShortcutKeys.ts'
import { useThemeStore } from '#renderer/state/theme-store.ts'

/** The commands that every page has, and the keyboard that runs them and the page's own. */
export function useAppCommands(openPalette: () => void): void {
  const router = useRouter()
  const theme = useThemeStore()
  const go = (name: string) => ({ run: () => void router.push({ name }) })

  useCommands({
    'palette.open': { run: openPalette },
    'go.lab': go('lab'),
    'go.wafer': go('wafer'),
    'go.studies': go('studies'),
    'go.history': go('history'),
    'go.compare': go('compare'),
    'go.validation': go('validation'),
    'go.trash': go('trash'),
    'go.docs': go('docs'),
    'go.settings': go('settings'),
    'theme.system': {
      run: () => {
        theme.choose('system')
      },
    },
    'theme.light': {
      run: () => {
        theme.choose('light')
      },
    },
    'theme.dark': {
      run: () => {
        theme.choose('dark')
      },
    },
  })
  useShortcutKeys()
}
