/** happy-dom lays nothing out; charts ask how large their element is. */
export function giveElementsASize(width = 640, height = 320): void {
  Object.defineProperties(HTMLElement.prototype, {
    clientWidth: { configurable: true, get: () => width },
    clientHeight: { configurable: true, get: () => height },
  })
}
