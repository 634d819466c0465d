/** For tools that do not read single-file components; vue-tsc takes the real types. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'

  const component: DefineComponent<Record<string, unknown>>
  export default component
}
