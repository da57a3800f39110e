import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ConvertFormat, type Operation, type UploadType } from '../shared/recipes/recipe.ts'
import { answerOf, invalidAnswer, jsonAnswer, type Answer, type Errors } from './gate.ts'
import { LANGUAGE_TEXTS } from './describe-picture.ts'
import {
  ACCEPTED_TYPES,
  BODY_TOO_LARGE,
  MAX_BODY_BYTES,
  MAX_PIXELS,
  MAX_PROJECT_NAME_CHARS,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_LANGUAGES,
} from './not-shown.ts'
import { loadSharp, type ReceivedFile, type Upload } from './picture-work.ts'
import { errorsOf } from './query.ts'

/** A dispatch that is acceptable. */
export interface Dispatch extends Upload {
  projectId: string | null
  projectName: string | null
}

const HAS_LANGUAGES: ReadonlySet<Operation> = new Set(['analyze', 'process'])
export const HAS_FORMAT: ReadonlySet<Operation> = new Set(['convert', 'process'])

/** Options of the form parser. A file that is too long is truncated, so that the field can be refused. */
export const FORM_OPTIONS = {
  throwFileSizeLimit: false,
  limits: { fileSize: MAX_UPLOAD_BYTES, files: 4, fields: 100, parts: 104, fieldSize: 8192, fieldNameSize: 200 },
}

/** Has a dispatch answered by `start`, to which the file belongs when that answers 202. Rejects when the client disconnects. */
export async function withUpload(
  request: FastifyRequest,
  operation: Operation,
  { folder, newId, projects }: { folder: string; newId: () => string; projects: ReadonlyMap<string, string> },
  start: (dispatch: Dispatch) => Answer,
): Promise<Answer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return answerOf(BODY_TOO_LARGE)
  const path = join(folder, `${newId()}.upload`)
  const fields = new Map<string, string[]>()
  let isStarted = false
  try {
    const file = request.isMultipart() ? await readForm(request, path, fields) : null
    const checked = await check(file, fields, operation, projects)
    const answer = 'file' in checked ? start(checked) : invalidAnswer(checked.errors)
    isStarted = answer.status === 202
    return answer
  } catch (error) {
    if (request.raw.destroyed) throw error
    return jsonAnswer(400, { message: 'The form could not be read.' })
  } finally {
    if (!isStarted) await rm(path, { force: true })
  }
}

/** Stores the picture at `path`. `languages`, `languages[]` and `languages[0]` are the same field. */
async function readForm(
  request: FastifyRequest,
  path: string,
  fields: Map<string, string[]>,
): Promise<ReceivedFile | null> {
  let image: ReceivedFile | null = null
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      const name = part.fieldname.replace(/\[\d*\]$/, '')
      fields.set(name, [...(fields.get(name) ?? []), String(part.value)])
    } else if (part.fieldname === 'image' && image === null) image = await store(part, path)
    else part.file.resume()
  }
  return image
}

async function store(part: MultipartFile, path: string): Promise<ReceivedFile> {
  const bytes = await part.toBuffer()
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path, filename: part.filename, sizeBytes: bytes.length, sha256, tooLong: part.file.truncated }
}

const Language = z.string().refine((code) => LANGUAGE_TEXTS.has(code), 'This language is not supported.')

/** The fields besides the picture (image service document, "Endpoints" and "Limits"). Those that the endpoint does not have are ignored. */
function fieldsFor(projects: ReadonlyMap<string, string>) {
  return z.object({
    languages: z.array(Language).max(MAX_UPLOAD_LANGUAGES),
    format: ConvertFormat,
    project_id: z
      .string()
      .refine((id) => projects.has(id), 'There is no project with this id.')
      .nullable(),
    project_name: z.string().max(MAX_PROJECT_NAME_CHARS).nullable(),
  })
}

async function check(
  file: ReceivedFile | null,
  fields: ReadonlyMap<string, string[]>,
  operation: Operation,
  projects: ReadonlyMap<string, string>,
): Promise<Dispatch | { errors: Errors }> {
  const last = (name: string) => fields.get(name)?.at(-1) || null
  const { data, error } = fieldsFor(projects).safeParse({
    languages: HAS_LANGUAGES.has(operation) ? [...new Set(fields.get('languages') ?? ['en'])] : [],
    format: (HAS_FORMAT.has(operation) && last('format')) || 'webp',
    project_id: last('project_id'),
    project_name: last('project_name'),
  })
  const type = await typeOf(file, ACCEPTED_TYPES[operation])
  if (data === undefined || file === null || 'wrong' in type)
    return { errors: { ...('wrong' in type && { image: [type.wrong] }), ...(error && errorsOf(error)) } }
  const { languages, format, project_id: projectId, project_name: projectName } = data
  return { file, ...type, languages, format, projectId, projectName }
}

/** The type by content; of a picture of an accepted type that is small enough to decode. */
async function typeOf(
  file: ReceivedFile | null,
  accepted: readonly UploadType[],
): Promise<{ type: UploadType } | { wrong: string }> {
  if (file === null || file.filename === '') return { wrong: 'The image field is required and must be a file.' }
  if (file.tooLong) return { wrong: 'The image field must not be larger than 10 MB.' }
  const sharp = await loadSharp()
  const found = await sharp(file.path, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  const { format, width = 0, height = 0, pages = 1, pageHeight = height } = found ?? {}
  const type = accepted.find((each) => each === format)
  return type === undefined || width * pageHeight * pages > MAX_PIXELS
    ? { wrong: `The image field must be a file of type: ${accepted.join(', ')}.` }
    : { type }
}
