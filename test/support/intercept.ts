type ArgumentsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never

type ResultOf<Method> = Method extends (...args: never[]) => infer Result ? Result : never

const undo: (() => void)[] = []

/**
 * Puts another function in the place of a method until `restoreIntercepted`. It is given the method
 * as it was, bound to the object that it was called on, and that object.
 *
 * @throws TypeError where there is no such method: a mistake in the test
 */
export function intercept<Self extends object, Name extends keyof Self>(
  target: Self,
  name: Name,
  replacement: (
    original: (...args: ArgumentsOf<Self[Name]>) => ResultOf<Self[Name]>,
    self: Self,
    ...args: ArgumentsOf<Self[Name]>
  ) => ResultOf<Self[Name]>,
): void {
  const original = target[name]
  if (typeof original !== 'function') throw new TypeError(`${String(name)} is no method`)
  const replaced = function (this: Self, ...args: ArgumentsOf<Self[Name]>) {
    const bound = (...given: ArgumentsOf<Self[Name]>) =>
      Reflect.apply(original, this, given) as ResultOf<Self[Name]>
    return replacement(bound, this, ...args)
  }
  target[name] = replaced as Self[Name]
  undo.push(() => {
    target[name] = original
  })
}

export function restoreIntercepted(): void {
  for (const restore of undo.toReversed()) restore()
  undo.length = 0
}
