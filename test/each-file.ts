import { flushCompileCache } from 'node:module'
import { afterAll, beforeEach } from 'vitest'
import { removeFoldersForAll } from './temp-folder.ts'
import { waits } from './until.ts'

// The limit of a test may be shorter than the patience of what it waits for.
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    for (const what of waits) console.error(`still waiting until ${what}`)
  })
})

afterAll(removeFoldersForAll)
// Another worker need not compile the same again.
afterAll(() => flushCompileCache())
