/** A text as HTML says it: tooltips are HTML, and names are the person's own text. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${String(character.charCodeAt(0))};`)
