import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { forkChildFrom } from '../src/main/children/fork-child.ts'

const BUILT = join(import.meta.dirname, '../out/main')
if (!existsSync(BUILT))
  throw new Error('Nothing is built yet: run `npm run build` first, or the tests by `npm test -- …`.')

/** Children as they are installed: they start in half the time that those from source need. */
export const builtChildren = forkChildFrom(BUILT)
