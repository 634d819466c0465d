/**
 * Entry of a child process that runs a built file of the desktop host with the stand-in, and plays
 * what the test in its parent says: the text of a function that gets the stand-in and an argument.
 */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import * as standIn from '#test/support/electron-stand-in.ts'

interface PlayRequest {
  readonly id: number
  readonly play: string
  readonly argument: unknown
}

const standInUrl = new URL('./electron-stand-in.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: standInUrl, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context),
})

const [, , builtFile = ''] = process.argv

process.on('message', ({ id, play, argument }: PlayRequest) => {
  const scene = runInThisContext(`(${play})`) as (electron: unknown, argument: unknown) => unknown
  Promise.resolve()
    .then(() => scene(standIn, argument))
    .then(
      value => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    )
})
process.on('disconnect', () => process.exit(0))

await import(pathToFileURL(builtFile).href)
process.send?.({ id: 0, value: 'loaded' })
