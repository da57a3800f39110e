/**
 * `npm run test:faults`: every fault of every campaign in test/faults and many simulated
 * histories of the queue, where `npm test` takes a sample. Takes long.
 */
import process from 'node:process'

process.env.HANGAR_FAULTS = 'all'
process.argv.push('test/faults', 'test/simulation')
await import('./test.mjs')
