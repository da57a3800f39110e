/** `npm run test:faults`: every fault of every campaign in test/faults, where `npm test` takes a sample. Takes long. */
import process from 'node:process'

process.env.HANGAR_FAULTS = 'all'
process.argv.push('test/faults')
await import('./test.mjs')
