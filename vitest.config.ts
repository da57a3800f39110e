import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long suite, `npm run test:long`; all other files are the quick one, `npm test`. */
const LONG = 'test/**/*.long.test.ts'

/** Each Electron is half a dozen processes that draw; eight at once starve one another. */
const ELECTRON = ['test/desktop/**/*.long.test.ts', 'test/packaging/desktop-package.long.test.ts']

/** Faults met one after another, simulations, and whole systems that are installed: `until` says what hangs. */
const CAMPAIGNS = ['core', 'faults', 'files', 'packaging', 'simulation', 'windows'].map(
  (folder) => `test/${folder}/**/*.long.test.ts`,
)
const CAMPAIGN_MS = 600_000

/** A process for each file, as in the long suite: some replace modules, some load the machine. */
const ALONE = ['electron', 'faults', 'packaging'].map((folder) => `test/${folder}/**/*.test.ts`)

/** The largest files first, as vitest has it, but for some that take longest: nothing is left to run beside those at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => FIRST.some((name) => moduleId.endsWith(name))
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}
const FIRST = [
  'faults/lost-events.long',
  'packaging/packed-app.long',
  'windows/kill.long',
  'engine/charged-refusals',
  'engine/engine',
  'engine/false-prices',
  'engine/folder-moves',
  'engine/spend',
].map((name) => `test/${name}.test.ts`)

export default defineConfig({
  test: {
    environment: 'node',
    // Processes, not threads: the tests load native modules, change the environment and start children.
    pool: 'forks',
    // Four for each of the two processors that all of it is timed with: many tests mostly wait.
    maxWorkers: 8,
    // What pages and children do takes its time on a busy machine; nothing here is a claim about how fast it is.
    testTimeout: 119_000,
    hookTimeout: 119_000,
    setupFiles: ['test/each-file.ts'],
    // Before the limit of its test, which would not say what did not come.
    expect: { poll: { timeout: 90_000 } },
    // A list of violations is printed whole.
    chaiConfig: { truncateThreshold: 0 },
    // A fault campaign runs when it is asked for; the suites take a sample of each.
    env: { HANGAR_FAULTS: process.env.HANGAR_FAULTS ?? 'sample' },
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    // Node runs the sources as they are, and keeps what it compiled; nothing here needs Vite in between.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'long',
          include: [LONG],
          exclude: [...ELECTRON, ...CAMPAIGNS],
        },
      },
      {
        extends: true,
        test: {
          name: 'long, campaigns',
          include: CAMPAIGNS,
          exclude: ELECTRON,
          testTimeout: CAMPAIGN_MS,
          hookTimeout: CAMPAIGN_MS,
          globalSetup: ['test/windows/machine/tear-down.ts'],
        },
      },
      {
        extends: true,
        // After all others.
        test: {
          name: 'long, Electron',
          include: ELECTRON,
          maxWorkers: 2,
          // It may have to make a package first.
          hookTimeout: CAMPAIGN_MS,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'quick, alone', include: ALONE, exclude: [LONG] } },
      {
        extends: true,
        test: { name: 'quick, shared', include: ['test/**/*.test.ts'], exclude: [LONG, ...ALONE], isolate: false },
      },
    ],
  },
})
