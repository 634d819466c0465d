import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: { index: 'src-main/app/index.ts', worker: 'src-main/jobs/worker.ts' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false, // a sandboxed preload cannot require packages
      rolldownOptions: {
        input: { index: 'src-main/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    base: './',
    plugins: [vue()],
    build: { rolldownOptions: { input: 'src-renderer/index.html' } },
  },
})
