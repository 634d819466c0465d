/** Twice the pixels of the page: sharp on paper and on fine screens. */
const SCALE = 2

/**
 * A drawn chart as a PNG on a background of its own.
 *
 * @throws Error where there is no drawing, or the browser cannot make an image of it
 */
export async function chartImage(chart: Element, background: string): Promise<Blob> {
  const svg = chart.querySelector('svg')
  if (svg === null) throw new Error('there is no drawing yet')
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const text = new XMLSerializer().serializeToString(copy)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * SCALE)
  canvas.height = Math.round(height * SCALE)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('this browser draws no images')
  context.fillStyle = background
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => {
      if (blob === null) reject(new Error('this browser makes no images'))
      else resolve(blob)
    }, 'image/png')
  })
}
