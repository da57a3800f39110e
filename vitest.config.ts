import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    // Processes, not threads: the tests load native modules, change the environment and start children.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A fault campaign runs when it is asked for; `npm test` takes a sample of each.
    env: { HANGAR_FAULTS: process.env.HANGAR_FAULTS ?? 'sample' },
    passWithNoTests: false,
  },
})
