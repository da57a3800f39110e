import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { callEngine } from '../../call-engine.ts'
import { errorCode, toDiskError } from '../../files/disk-error.ts'
import { fromUiRecipe } from '../recipe-tokens.ts'
import type { UiCallDeps, UiHandlers } from './ui-call-deps.ts'

const IS_SAMPLE = /\.(?:jpg|png|gif|webp)$/
const MOST_FOLDERS_A_DAY = 1000

export function intakeCalls(
  deps: UiCallDeps,
): Pick<UiHandlers, 'intake.preview' | 'intake.add' | 'intake.samples' | 'folders.add' | 'folders.update'> {
  const { engine, places } = deps
  return {
    'intake.preview': ({ tokens, recipe, include, exclude }) =>
      callEngine(engine, 'intake.preview', {
        paths: tokens.map((token) => places.resolve(token)),
        recipe: fromUiRecipe(places, recipe),
        ...{ include, exclude },
      }),
    'intake.add': ({ tokens, recipe, force, confirmed }) =>
      callEngine(engine, 'intake.add', {
        paths: tokens.map((token) => places.resolve(token)),
        recipe: fromUiRecipe(places, recipe),
        ...{ force, confirmed },
      }),
    'intake.samples': async () => {
      const dir = await copySamples(deps)
      const { recipe } = await callEngine(engine, 'settings.get', {})
      const { batchId } = await callEngine(engine, 'intake.add', { paths: [dir], recipe })
      return { batchId, place: places.register(dir, 'folder') }
    },
    'folders.add': ({ token, recipe, include, exclude }) =>
      callEngine(engine, 'folders.add', {
        path: places.resolveFolder(token),
        recipe: fromUiRecipe(places, recipe),
        ...{ include, exclude },
      }),
    'folders.update': ({ id, changes, reprocess }) => {
      const { recipe, ...rest } = changes
      const recipeChange = recipe === undefined ? {} : { recipe: fromUiRecipe(places, recipe) }
      return callEngine(engine, 'folders.update', { id, changes: { ...rest, ...recipeChange }, reprocess })
    },
  }
}

/** Into a folder of their own that was not there before: nothing is ever overwritten. */
async function copySamples({ dataDir, samplesDir, clock }: UiCallDeps): Promise<string> {
  const names = (await readdir(samplesDir)).filter((name) => IS_SAMPLE.test(name))
  if (names.length === 0) throw new AppError('not_found', 'There are no sample pictures in this installation.')
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10)
  try {
    const dir = await freshFolder(join(dataDir, `samples-${day}`))
    for (const name of names) await copyFile(join(samplesDir, name), join(dir, name), constants.COPYFILE_EXCL)
    return dir
  } catch (error) {
    throw toDiskError(error, dataDir)
  }
}

async function freshFolder(wanted: string): Promise<string> {
  for (let n = 1; n <= MOST_FOLDERS_A_DAY; n += 1) {
    const dir = n === 1 ? wanted : `${wanted}-${n}`
    try {
      await mkdir(dir)
      return dir
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  throw new AppError('name_taken', 'There are too many folders with sample pictures of today. Remove some.')
}
