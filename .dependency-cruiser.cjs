/**
 * Who may import whom. Of two folders of src-shared the lower one never sees the upper one; the
 * page and the main process meet in src-shared only; Electron stays in a thin layer.
 */

/** A rule that `from` imports nothing of `roots` but what `allowed` matches. */
const only = (name, comment, from, roots, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: roots, pathNot: allowed },
})

const shared = (folder, ...others) =>
  only(
    `shared-${folder}`,
    `src-shared/${folder} imports only: ${[folder, ...others].join(', ')}`,
    `^src-shared/${folder}/`,
    '^(src-|resources/|test/)',
    [folder, ...others].map(name => (/[./]/.test(name) ? `^${name}` : `^src-shared/${name}/`)),
  )

/** Types are erased: importing them is no dependency at run time. */
const typesOnly = { dependencyTypesNot: ['type-only'] }

/** Debts: exceptions that are to go, each with its reason. */
const debts = {
  /** The check of a form is pure and belongs beside the schemas. */
  stateOnForms: '^src-renderer/forms/field-problems\\.ts$',
}

module.exports = {
  forbidden: [
    {
      name: 'resolvable',
      comment: 'What cannot be resolved cannot be judged.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other cannot be understood one by one.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'declared-packages',
      comment: 'A package must be in package.json.',
      severity: 'error',
      from: { path: '^src-' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-packages-in-main',
      comment: 'The main process runs without development dependencies.',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },

    // src-shared, from the bottom up.
    shared('base'),
    shared('units', 'base'),
    shared('hardware', 'base', 'units'),
    shared('workload', 'base', 'units'),
    shared('results', 'base', 'units'),
    shared('mapping', 'base', 'units', 'hardware', 'workload'),
    shared('models', 'base', 'units', 'hardware', 'workload', 'mapping', 'results'),
    {
      name: 'shared-schema',
      comment: 'schema turns JSON into base and units; of the domain it knows ids and types.',
      severity: 'error',
      from: { path: '^src-shared/schema/' },
      to: {
        path: '^(src-|resources/|test/)',
        pathNot: ['^src-shared/(schema|base|units)/', '^src-shared/mapping/dataflow\\.ts$'],
        ...typesOnly,
      },
    },
    shared('presets', 'base', 'schema', 'resources/presets/'),
    shared('baselines', 'base', 'units', 'results', 'workload', 'resources/published/'),
    ...['simulate', 'validation'].map(folder => ({
      name: `shared-${folder}`,
      comment: `${folder} runs models; it knows nothing of messages.`,
      severity: 'error',
      from: { path: `^src-shared/${folder}/` },
      to: { path: '^src-shared/ipc/' },
    })),
    {
      name: 'models-run-above',
      comment: 'What the models are built from does not run them.',
      severity: 'error',
      from: { path: '^src-shared/', pathNot: '^src-shared/(simulate|validation|ipc)/' },
      to: { path: '^src-shared/(simulate|validation)/' },
    },
    {
      name: 'shared-ipc',
      comment: 'The contract sees schemas and results; of the rest, types.',
      severity: 'error',
      from: { path: '^src-shared/ipc/' },
      to: {
        path: '^(src-|resources/|test/)',
        pathNot: '^src-shared/(ipc|schema|results|base)/',
        ...typesOnly,
      },
    },
    only(
      'shared-alone',
      'src-shared knows no Node, no Electron, no page.',
      '^src-shared/',
      '^(src-main|src-renderer|test)/|(^|/)node_modules/(electron|vue|better-sqlite3|ws)/',
      [],
    ),
    {
      name: 'shared-without-node',
      comment: 'Models are pure: no clock, no files, no processes.',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'zod-in-one-place',
      comment: 'zod is imported where it is made jitless, and nowhere else.',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-shared/schema/zod\\.ts$' },
      to: { path: '(^|/)node_modules/zod/' },
    },

    // src-main.
    {
      name: 'electron-confined',
      comment: 'All else in main runs under plain Node.',
      severity: 'error',
      from: {
        path: '^src-',
        pathNot:
          '^src-main/(app|preload|platform)/|^src-main/ipc/register-ipc\\.ts$|^src-main/jobs/electron-endpoint\\.ts$',
      },
      to: { path: '(^|/)node_modules/electron/', ...typesOnly },
    },
    {
      name: 'electron-parts-confined',
      comment: 'Files that import Electron are used by the desktop host only.',
      severity: 'error',
      from: { path: '^src-main/', pathNot: '^src-main/app/' },
      to: {
        path: '^src-main/(app|platform)/|^src-main/ipc/register-ipc\\.ts$|^src-main/jobs/electron-endpoint\\.ts$',
      },
    },
    {
      name: 'sqlite-confined',
      comment: 'One file opens the database.',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/storage/open-database\\.ts$' },
      to: { path: '(^|/)node_modules/better-sqlite3/', ...typesOnly },
    },
    {
      name: 'preload-thin',
      comment: 'The preload knows names, and nothing that has to be bundled.',
      severity: 'error',
      from: { path: '^src-main/preload/' },
      to: {
        path: '^(src-|node_modules/)',
        pathNot: '^src-main/preload/|^src-shared/ipc/channels\\.ts$|(^|/)node_modules/electron/',
        ...typesOnly,
      },
    },
    only(
      'storage-low',
      'storage knows neither jobs nor hosts.',
      '^src-main/storage/',
      '^src-main/',
      ['^src-main/storage/'],
    ),
    {
      name: 'migrations-alone',
      comment: 'Repositories and schemas move on, migrations do not.',
      severity: 'error',
      from: { path: '^src-main/storage/migrations/' },
      to: { path: '^src-', pathNot: '^src-main/storage/migrations/', ...typesOnly },
    },
    only('jobs-low', 'jobs know neither storage nor hosts.', '^src-main/jobs/', '^src-main/', [
      '^src-main/jobs/',
    ]),
    only(
      'core-without-hosts',
      'The core does not know which host it is in.',
      '^src-main/(core|ipc|storage|jobs|export)/',
      '^src-main/(app|server|cli|start|report)/',
      [],
    ),
    only(
      'main-without-page',
      'main and page meet in src-shared.',
      '^src-main/',
      '^src-renderer/',
      [],
    ),

    // src-renderer.
    only(
      'page-without-main',
      'main and page meet in src-shared.',
      '^src-renderer/',
      '^src-main/',
      [],
    ),
    {
      name: 'page-runs-no-model',
      comment: 'The page checks and shows configurations, it never runs a model.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^src-shared/(models|simulate)/', ...typesOnly },
    },
    {
      name: 'page-without-node',
      comment: 'The page is sandboxed.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-apart',
      comment: 'What two features share moves down to state, composables, forms, charts or ui.',
      severity: 'error',
      from: { path: '^src-renderer/features/([^/]+)/' },
      to: { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
    },
    only(
      'page-layers-down',
      'Only the app composes features.',
      '^src-renderer/(api|state|composables|charts|forms|ui|results|styles)/',
      '^src-renderer/(app|features)/',
      [],
    ),
    only(
      'ui-alone',
      'ui components know no store and no API.',
      '^src-renderer/ui/',
      '^src-renderer/',
      ['^src-renderer/ui/'],
    ),
    {
      name: 'state-low',
      comment: 'Stores know the API, not components.',
      severity: 'error',
      from: { path: '^src-renderer/(state|api)/' },
      to: {
        path: '^src-renderer/(charts|forms|ui|composables)/',
        pathNot: debts.stateOnForms,
      },
    },
    only(
      'charts-without-state',
      'Charts draw what they are given.',
      '^src-renderer/charts/',
      '^src-renderer/(api|state|composables|forms)/',
      [],
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^out/' },
    moduleSystems: ['es6', 'cjs'],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
    builtInModules: { add: ['node:sqlite'] },
  },
}
