import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { PRACTICE_SERVICE, type Recipe } from '../../../shared/recipes/recipe.ts'
import { errorCode } from '../../../shared/runtime/error-code.ts'
import { toDiskError } from '../../files/disk-error.ts'
import type { CallsDeps } from './call-deps.ts'
import { languagesAt } from './credit-calls.ts'

const IS_SAMPLE = /\.(?:jpg|png|gif|webp)$/
const MAX_FOLDERS_PER_DAY = 1000

/**
 * Copies the sample pictures into a new folder and processes them at the practice service, which the batch is bound to. While
 * that does not start, they wait.
 */
export async function processSamples(deps: CallsDeps): Promise<EngineResponse<'intake.samples'>> {
  const { samplesDir, practice, fileWork } = deps
  if (samplesDir === undefined || practice === null) throw new AppError('not_found', say('samples_missing'))
  const [recipe, dir] = await Promise.all([
    recipeForSamples(deps, practice.imageBaseUrl),
    fileWork.run(() => copySamples(deps, samplesDir)),
  ])
  const batchId = await deps.intake.start({
    paths: [dir],
    recipe,
    include: [],
    exclude: [],
    force: false,
    insteadOf: [],
    confirmed: false,
    maxCredits: null,
    creditsPerImage: null,
    boundTo: PRACTICE_SERVICE,
  })
  await deps.lanes.refresh()
  return { batchId, place: dir }
}

/** The default recipe as far as the practice service supports it; made-up texts do not belong in a person's output folder. */
async function recipeForSamples(deps: CallsDeps, imageBaseUrl: string): Promise<Recipe> {
  const { recipe } = deps.context.settings()
  const offered = await languagesAt(deps, PRACTICE_SERVICE, imageBaseUrl).catch(() => [])
  const known = new Set(offered.map(({ code }) => code))
  const languages = recipe.languages.filter((language) => known.has(language))
  return {
    ...recipe,
    languages: languages.length > 0 ? languages : ['en'],
    project: null,
    output: recipe.output.kind === 'folder' ? { kind: 'beside' } : recipe.output,
  }
}

/** Into a folder that did not exist before: nothing is ever overwritten. */
async function copySamples({ dataDir, context }: CallsDeps, from: string): Promise<string> {
  const names = (await readdir(from)).filter((name) => IS_SAMPLE.test(name))
  if (names.length === 0) throw new AppError('not_found', say('samples_missing'))
  const day = localDay(context.clock.nowMs())
  try {
    const dir = await freshFolder(join(dataDir, `samples-${day}`))
    for (const name of names) await copyFile(join(from, name), join(dir, name), constants.COPYFILE_EXCL)
    return dir
  } catch (error) {
    throw toDiskError(error, dataDir)
  }
}

async function freshFolder(wanted: string): Promise<string> {
  for (let n = 1; n <= MAX_FOLDERS_PER_DAY; n += 1) {
    const dir = n === 1 ? wanted : `${wanted}-${n}`
    try {
      await mkdir(dir)
      return dir
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  throw new AppError('name_taken', say('sample_folders_full'))
}
