import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { EVERY_ANSWER, pagePolicy } from '../page/page-policy.ts'

/** The folder of the built page. Throws `bad_request` when it was not built. */
export function checkedPage(dir: string): string {
  if (existsSync(join(dir, 'index.html'))) return dir
  throw new AppError('bad_request', say('page_not_built'))
}

/** For every response; pictures and downloads have a stricter policy of their own. `origin`: the page's. */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    ...EVERY_ANSWER,
    // Not every browser applies 'self' to the socket's scheme.
    'content-security-policy': pagePolicy(origin.replace(/^http/, 'ws')),
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
    'cache-control': 'no-store',
  }
}

/** The page itself. Files below assets/ have a hash in their name and never change; the rest is not cached. */
export async function addPages(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    dotfiles: 'deny',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      // Only headers set on the reply itself override those that every response gets.
      const set: (name: string, value: string) => unknown = reply.header.bind(reply)
      set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-store')
    },
  })
}
