import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/errors.ts'

/** The folder of the built page. Throws `bad_request` when it was not built. */
export function checkedPage(dir: string): string {
  if (existsSync(join(dir, 'index.html'))) return dir
  throw new AppError('bad_request', 'The web page of Hangar was not built. In a checkout: npm run build.')
}

/**
 * For everything the server sends; pictures and downloads have a stricter policy of their own. `tileOrigin`: pictures may come
 * from there too.
 */
export function securityHeaders(host: string, tileOrigin: string | null = null): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      ["img-src 'self' data: blob:", ...(tileOrigin === null ? [] : [tileOrigin])].join(' '),
      "font-src 'self'",
      // Not every browser takes 'self' for the socket's scheme as well.
      `connect-src 'self' ws://${host}`,
      "worker-src 'self' blob:",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
    'cache-control': 'no-store',
  }
}

/** The page itself. Files below assets/ have a hash in their name and never change; the rest is asked for each time. */
export async function addPages(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    dotfiles: 'deny',
    index: 'index.html',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(root, 'assets'))
      // Only headers of the reply itself win over those that every answer gets.
      const set: (name: string, value: string) => unknown = reply.header.bind(reply)
      set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-store')
    },
  })
}
