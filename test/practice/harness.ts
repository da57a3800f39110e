import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import { startPractice, type PracticeServer } from './faulty-practice.ts'
import { until } from '../until.ts'

/** Tries until the result is not null. */
export async function eventually<Result>(look: () => Promise<Result | null> | Result | null): Promise<Result> {
  let result: Result | null = null
  await until('there is a result', async () => (result = await look()) !== null)
  return result!
}

export type Json = Record<string, unknown>

export interface Told {
  status: number
  headers: Headers
  json: Json
}

async function told(response: Response): Promise<Told> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: (text === '' ? {} : JSON.parse(text)) as Json }
}

/** A plain client of the service under test: what it sends is what the documents show. */
export function client(server: PracticeServer, key: string | null = server.apiKey) {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  return {
    get: async (path: string, more: Record<string, string> = {}): Promise<Told> =>
      told(await fetch(`${server.imageBaseUrl}${path}`, { headers: { ...headers, ...more }, redirect: 'manual' })),
    raw: (path: string): Promise<Response> => fetch(`${server.imageBaseUrl}${path}`, { headers, redirect: 'manual' }),
    post: async (path: string, form: FormData | string | null): Promise<Told> =>
      told(await fetch(`${server.imageBaseUrl}${path}`, { method: 'POST', headers, body: form, redirect: 'manual' })),
  }
}

type Client = ReturnType<typeof client>

/** A service for all tests of a file or of a `describe`, with a client of it. */
export function practiceForAll(...given: Parameters<typeof startPractice>): {
  server: PracticeServer
  service: Client
} {
  const at = {} as { server: PracticeServer; service: Client }
  beforeAll(async () => {
    at.server = await startPractice(...given)
    at.service = client(at.server)
  })
  afterAll(() => at.server.close())
  return at
}

export function partnerClient(server: PracticeServer, token: string | null = server.partnerToken) {
  return async (path: string): Promise<Told> => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
    return told(await fetch(`${server.chargerBaseUrl}/api/v1${path}`, { headers }))
  }
}

/** A multipart form with an image; a field given as an array is repeated. */
export function form(
  image: Uint8Array | null,
  fields: Record<string, string | string[]> = {},
  filename = 'photo.jpg',
): FormData {
  const data = new FormData()
  if (image) data.append('image', new Blob([new Uint8Array(image)]), filename)
  for (const [name, values] of Object.entries(fields)) {
    for (const value of Array.isArray(values) ? values : [values]) data.append(name, value)
  }
  return data
}

export interface ImageData {
  id: string
  status: string
  original_filename: string
  original_size: number
  optimized_size: number | null
  converted_format: string | null
  converted_size: number | null
  compression_percentage: number | null
  translations: { language_code: string; seo_filename: string; seo_alt_text: string }[]
}

export interface JobData {
  job_id: string
  status: string
  image: ImageData
}

export function data<Shape>(answer: Told): Shape {
  return answer.json['data'] as Shape
}

export async function poll(service: Client, jobId: string): Promise<JobData> {
  return data<JobData>(await service.get(`/jobs/${jobId}`))
}

export async function untilEnded(service: Client, jobId: string): Promise<JobData> {
  return eventually(async () => {
    const job = await poll(service, jobId)
    return job.status === 'completed' || job.status === 'failed' ? job : null
  })
}

export async function dispatched(service: Client, path: string, body: FormData): Promise<string> {
  const answer = await service.post(path, body)
  if (answer.status !== 202) throw new Error(`expected 202, got ${answer.status} ${JSON.stringify(answer.json)}`)
  return data<{ job_id: string }>(answer).job_id
}

type Kind = 'jpeg' | 'png' | 'webp' | 'gif'

/** A picture with something in it to compress; `seed` changes its bytes. */
export async function picture(kind: Kind, width = 120, height = 80, seed = 1): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const x = (at / 3) % width
    const y = Math.floor(at / 3 / width)
    pixels[at] = (x * 2 + seed * 7) % 60
    pixels[at + 1] = (y * 3) % 90
    pixels[at + 2] = 160 + ((x ^ y) % 90)
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  if (kind === 'jpeg') return image.jpeg({ quality: 100, mozjpeg: false }).toBuffer()
  if (kind === 'png') return image.png({ compressionLevel: 0 }).toBuffer()
  return kind === 'webp' ? image.webp({ lossless: true }).toBuffer() : image.gif().toBuffer()
}
