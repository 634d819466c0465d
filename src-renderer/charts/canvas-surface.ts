import { onMounted, onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'

/** Size of a canvas on the page, in CSS pixels. */
export interface SurfaceSize {
  readonly width: number
  readonly height: number
}

/**
 * Paints a canvas as sharp as the screen allows, anew when its size or what `paint` reads changes:
 * at most once in a frame.
 *
 * @param paint draws in CSS pixels on an empty surface
 */
export function useCanvasSurface(
  canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>,
  sources: () => unknown,
  paint: (context: CanvasRenderingContext2D, size: SurfaceSize) => void,
) {
  const size = shallowRef<SurfaceSize>({ width: 0, height: 0 })
  let frame = 0

  function paintNow(): void {
    frame = 0
    const element = canvas.value
    const context = element?.getContext('2d')
    if (!element || !context) return
    const { width, height } = size.value
    const ratio = window.devicePixelRatio
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    paint(context, size.value)
  }
  function schedule(): void {
    if (frame === 0) frame = requestAnimationFrame(paintNow)
  }

  const observer = new ResizeObserver(entries => {
    const box = entries[0]?.contentRect
    if (box !== undefined) size.value = { width: box.width, height: box.height }
  })
  onMounted(() => {
    if (canvas.value !== null) observer.observe(canvas.value)
  })
  watch([size, sources], schedule)
  onScopeDispose(() => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  })
  return { size }
}
