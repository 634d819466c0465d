import type { RouteRecordRaw } from 'vue-router'
import NotFoundPage from '#renderer/app/NotFoundPage.vue'
import { studyIds } from '#shared/schema/study-input.ts'
import { engines } from '#shared/schema/engine-field.ts'
import LabPage from '#renderer/features/lab/LabPage.vue'

declare module 'vue-router' {
  interface RouteMeta {
    /** Shown as the window's title until the page knows better. */
    readonly title: string
    /** A page for print: no navigation, light theme. */
    readonly isPrint?: boolean
  }
}

export const routes: RouteRecordRaw[] = [
  { path: '/', redirect: { name: 'lab' } },
  { path: '/lab', name: 'lab', component: LabPage, meta: { title: 'Lab' } },
  {
    path: '/wafer',
    name: 'wafer',
    component: () => import('#renderer/features/wafer/WaferPage.vue'),
    meta: { title: 'Wafer' },
  },
  {
    path: '/experiments/:id(\\d+)',
    name: 'result',
    component: () => import('#renderer/features/result/ResultPage.vue'),
    props: route => ({ experimentId: Number(route.params.id) }),
    meta: { title: 'Result' },
  },
  {
    path: '/history',
    name: 'history',
    component: () => import('#renderer/features/history/HistoryPage.vue'),
    meta: { title: 'History' },
  },
  {
    path: '/trash',
    name: 'trash',
    component: () => import('#renderer/features/history/TrashPage.vue'),
    meta: { title: 'Trash' },
  },
  {
    path: '/compare',
    name: 'compare',
    component: () => import('#renderer/features/compare/ComparePage.vue'),
    props: route => ({
      experimentIds: idsOf(route.query.experiments),
      baselineKey: textOf(route.query.baseline),
    }),
    meta: { title: 'Compare' },
  },
  {
    path: '/studies',
    name: 'studies',
    component: () => import('#renderer/features/studies/StudiesPage.vue'),
    props: route => ({
      study: studyIds.find(study => study === route.query.study) ?? 'group-scale',
      isOnLabChip: route.query.chip === 'lab',
    }),
    meta: { title: 'Studies' },
  },
  {
    path: '/validation',
    name: 'validation',
    component: () => import('#renderer/features/validation/ValidationPage.vue'),
    props: route => ({
      engine: engines.find(engine => engine === route.query.engine) ?? 'phase',
      setId: textOf(route.query.set),
    }),
    meta: { title: 'Validation' },
  },
  {
    path: '/docs/:page?',
    name: 'docs',
    component: () => import('#renderer/features/docs/DocsPage.vue'),
    props: route => ({ page: textOf(route.params.page) }),
    meta: { title: 'Documentation' },
  },
  {
    path: '/settings',
    name: 'settings',
    component: () => import('#renderer/features/settings/SettingsPage.vue'),
    meta: { title: 'Settings' },
  },
  {
    path: '/report',
    name: 'report',
    component: () => import('#renderer/features/report/ReportPage.vue'),
    props: route => ({ experimentIds: idsOf(route.query.experiments) }),
    meta: { title: 'Report', isPrint: true },
  },
  { path: '/:rest(.*)*', name: 'not-found', component: NotFoundPage, meta: { title: 'Not found' } },
]

/** '1,2,3' as ids; what is no id is left out. */
export function idsOf(value: unknown): number[] {
  const ids = textOf(value).split(',').map(Number)
  return [...new Set(ids.filter(id => Number.isSafeInteger(id) && id > 0))]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
