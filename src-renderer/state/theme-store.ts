import { defineStore } from 'pinia'
import { computed, readonly, shallowRef, watchEffect } from 'vue'

export const themeChoices = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

const KEY = 'tessera.theme'

/** Light or dark: the person's choice, or the system's; a page for print is always light. */
export const useThemeStore = defineStore('theme', () => {
  const choice = shallowRef<ThemeChoice>(storedChoice())
  const systemIsDark = shallowRef(false)
  const isPrintPage = shallowRef(false)
  const isDark = computed(
    () =>
      !isPrintPage.value &&
      (choice.value === 'dark' || (choice.value === 'system' && systemIsDark.value)),
  )

  const query = window.matchMedia('(prefers-color-scheme: dark)')
  systemIsDark.value = query.matches
  query.addEventListener('change', event => {
    systemIsDark.value = event.matches
  })
  watchEffect(
    () => {
      document.documentElement.classList.toggle('dark', isDark.value)
    },
    { flush: 'sync' },
  )

  function choose(value: ThemeChoice): void {
    choice.value = value
    localStorage.setItem(KEY, value)
  }

  function setPrintPage(value: boolean): void {
    isPrintPage.value = value
  }

  return { choice: readonly(choice), isDark, choose, setPrintPage }
})

function storedChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY)
  return themeChoices.find(choice => choice === stored) ?? 'system'
}
