/** `tsc` does not read single-file components; vue-tsc checks them where they are written. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue'

  const component: DefineComponent<Record<string, unknown>>
  export default component
}
