/** Keeps the dependencies pointing one way; docs/architecture.md explains the layers. */
const layer = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: allowed },
})

/** The rooms of src/main that hold one kind of effect each, and what a room uses beside `core`. */
const ROOMS = {
  services: [],
  secrets: [],
  chargers: ['journal'],
  log: [],
  journal: [],
  queue: ['journal'],
  team: ['journal', 'services'],
  files: [],
  // Files that others may have planted are read in one way only.
  images: ['files'],
  watch: ['files'],
  hooks: ['files'],
  'file-managers': ['files'],
  intake: ['journal', 'queue', 'watch', 'files'],
}

/** The rooms of src/shared, from the lowest up: each may use those before it. */
const SHARED = ['text', 'sentences', 'runtime', 'recipes', 'jobs', 'chargers', 'settings', 'contract', 'presentation']

/** The rooms of the window, from the lowest up: each may use those before it. */
const WINDOW = ['text', 'bridge', 'store', 'parts', 'pickers', 'recipe', 'intake', 'places', 'overlays', 'frame']
/** The places, which know nothing of each other; what lies over all of them knows none of them. */
const PLACES = ['chargers', 'credits', 'folders', 'jobs', 'settings']

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // The first is types alone: its package is named @types/…. The build makes the others.
      to: { couldNotResolve: true, pathNot: '^(geojson|virtual:(base-map|texts))$' },
    },
    layer('shared-has-rooms-only', '^src/shared/[^/]+$', '^$'),
    ...SHARED.map((room, index) =>
      layer(
        `shared-${room}-imports-what-is-below-it`,
        `^src/shared/${room}/`,
        `^src/shared/(${SHARED.slice(0, index + 1).join('|')})/`,
      ),
    ),
    {
      name: 'shared-knows-no-platform',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'shared-uses-only-pure-packages',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|tinyqueue)/' },
    },
    layer('core-imports-only-shared', '^src/main/core/', '^src/(shared|main/core)/'),
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^src/main/core/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|path)$' },
    },
    ...Object.entries(ROOMS).map(([room, below]) =>
      layer(
        `${room}-imports-what-is-below-it`,
        `^src/main/${room}/`,
        `^src/(shared|${['core', room, ...below].map((name) => `main/${name}`).join('|')})/`,
      ),
    ),
    layer('practice-stands-alone', '^src/practice/', '^src/(shared|practice)/'),
    layer('renderer-imports-only-shared', '^src/renderer/', '^src/(shared|renderer)/'),
    ...WINDOW.map((room, index) =>
      layer(
        `window-${room}-imports-what-is-below-it`,
        `^src/renderer/${room}/`,
        `^src/(shared/|renderer/(${WINDOW.slice(0, index + 1).join('|')})/)`,
      ),
    ),
    layer('overlays-know-no-place', '^src/renderer/overlays/', '^src/(?!renderer/places/)'),
    ...PLACES.map((place) =>
      layer(
        `place-${place}-stands-alone`,
        `^src/renderer/places/${place}/`,
        `^src/(?!renderer/places/)|^src/renderer/places/${place}/`,
      ),
    ),
    layer('preload-imports-only-shared', '^src/preload/', '^src/(shared|preload)/'),
    {
      name: 'undici-is-loaded-for-the-first-request',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/undici/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'electron-only-in-its-shell',
      severity: 'error',
      from: { pathNot: '^src/(main/(index\\.ts$|electron/)|preload/)|^test/' },
      to: { path: '^electron$|node_modules/electron/' },
    },
    {
      name: 'engine-knows-no-page',
      severity: 'error',
      from: {
        path: '^src/main/(engine|intake|journal|queue|watch|services|files|images|secrets|chargers|log|team|hooks|file-managers|children)/',
      },
      to: { path: '^src/main/page/' },
    },
    {
      name: 'only-a-shell-knows-a-shell',
      severity: 'error',
      from: { path: '^src/main/[a-z-]+/', pathNot: '^src/main/(web|cli|electron)/' },
      to: { path: '^src/main/((index|cli)\\.ts$|(web|cli|electron)/)' },
    },
    {
      name: 'shells-stand-apart',
      severity: 'error',
      from: { path: '^src/main/(web|electron)/' },
      to: { path: '^src/main/(web|electron|cli)/', pathNot: '^src/main/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.main.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
