import { invalidBody, INVALID_STATUS } from './not-shown.ts'

/** The answer of an endpoint. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export function jsonAnswer(status: number, body: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(body)),
  }
}

export function dataAnswer(data: unknown, status = 200): Answer {
  return jsonAnswer(status, { data })
}

export function invalidAnswer(errors: Record<string, string[]>): Answer {
  return jsonAnswer(INVALID_STATUS, invalidBody(errors))
}
