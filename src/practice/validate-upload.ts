import type { ConvertFormat, UploadType, Operation } from '../shared/recipes/recipe.ts'
import { LANGUAGE_TEXTS } from './language-texts.ts'
import { loadSharp } from './load-sharp.ts'
import { ACCEPTED_TYPES, MAX_PIXELS, MAX_PROJECT_NAME_CHARS, MAX_UPLOAD_LANGUAGES } from './not-shown.ts'
import type { Errors } from './query-rules.ts'
import type { ReceivedFile, ReceivedUpload } from './receive-upload.ts'

export interface Dispatch {
  file: ReceivedFile
  type: UploadType
  /** Empty where the operation has none. */
  languages: string[]
  /** The target of the conversion; `webp` for operations that convert nothing. */
  format: ConvertFormat
  projectId: string | null
  projectName: string | null
}

const HAS_LANGUAGES: ReadonlySet<Operation> = new Set(['analyze', 'process'])
export const HAS_FORMAT: ReadonlySet<Operation> = new Set(['convert', 'process'])

/** The type by content; null for anything but a picture of an accepted type that is small enough to decode. */
async function pictureType(path: string, accepted: readonly UploadType[]): Promise<UploadType | null> {
  const sharp = await loadSharp()
  try {
    const { format, width, height, pages = 1, pageHeight } = await sharp(path, { limitInputPixels: false }).metadata()
    if (width * (pageHeight ?? height) * pages > MAX_PIXELS) return null
    return accepted.find((type) => type === format) ?? null
  } catch {
    return null
  }
}

async function checkImage(file: ReceivedFile | null, operation: Operation, errors: Errors): Promise<UploadType | null> {
  if (file === null || file.filename === '') {
    errors['image'] = ['The image field is required and must be a file.']
    return null
  }
  if (file.tooLong) {
    errors['image'] = ['The image field must not be larger than 10 MB.']
    return null
  }
  const accepted = ACCEPTED_TYPES[operation]
  const type = await pictureType(file.path, accepted)
  if (type === null) errors['image'] = [`The image field must be a file of type: ${accepted.join(', ')}.`]
  return type
}

function checkLanguages(given: string[] | undefined, errors: Errors): string[] {
  const codes = [...new Set(given ?? ['en'])]
  if (codes.length > MAX_UPLOAD_LANGUAGES) {
    errors['languages'] = [`The languages field must not have more than ${MAX_UPLOAD_LANGUAGES} items.`]
  }
  codes.slice(0, MAX_UPLOAD_LANGUAGES).forEach((code, index) => {
    if (!LANGUAGE_TEXTS.has(code)) errors[`languages.${index}`] = ['This language is not supported.']
  })
  return codes
}

/**
 * Checks an upload against the request fields of its endpoint (image service document, "Endpoints" and "Limits").
 * Fields that the endpoint does not have are ignored. Returns null after noting errors.
 */
export async function validateUpload(
  upload: ReceivedUpload,
  operation: Operation,
  projectExists: (id: string) => boolean,
  errors: Errors,
): Promise<Dispatch | null> {
  const type = await checkImage(upload.image, operation, errors)
  const languages = HAS_LANGUAGES.has(operation) ? checkLanguages(upload.fields.get('languages'), errors) : []
  const format = upload.fields.get('format')?.at(-1) ?? 'webp'
  if (HAS_FORMAT.has(operation) && format !== 'webp' && format !== 'avif') {
    errors['format'] = ['The format field must be one of: webp, avif.']
  }
  const projectId = upload.fields.get('project_id')?.at(-1) || null
  if (projectId !== null && !projectExists(projectId)) errors['project_id'] = ['There is no project with this id.']
  const projectName = upload.fields.get('project_name')?.at(-1) || null
  if (projectName !== null && [...projectName].length > MAX_PROJECT_NAME_CHARS) {
    errors['project_name'] = [`The project_name field must not be longer than ${MAX_PROJECT_NAME_CHARS} characters.`]
  }
  if (Object.keys(errors).length > 0 || type === null || upload.image === null) return null
  return {
    file: upload.image,
    type,
    languages,
    format: HAS_FORMAT.has(operation) && format === 'avif' ? 'avif' : 'webp',
    projectId,
    projectName,
  }
}
