import { computed, defineComponent, h } from 'vue'
import { renderMarkdown } from '#renderer/features/docs/documentation.ts'

/** A documentation page; `renderMarkdown` lets no HTML of the page's text through. */
export const RenderedMarkdown = defineComponent(
  (props: { markdown: string; images: Readonly<Record<string, string>> }) => {
    const html = computed(() => renderMarkdown(props.markdown, props.images))
    return () => h('div', { innerHTML: html.value })
  },
  {
    props: {
      markdown: { type: String, required: true },
      images: { type: Object, required: true },
    },
  },
)
