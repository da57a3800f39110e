import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { createTexts, type Texts } from '../ui/texts.ts'

const TEXTS: Record<'en' | 'de', Texts> = { en: createTexts('en', 'en'), de: createTexts('de', 'de') }

/** Whether a person's browser asks, to show a page, and not a script or program. */
export function asksForPage({ accept, upgrade }: IncomingHttpHeaders): boolean {
  return upgrade === undefined && accept?.includes('text/html') === true
}

/**
 * Status 421 for a browser that came by a name that Hangar does not answer to: a page that says where Hangar is. It is no
 * redirect, and it has nothing of Hangar's own page in it: no script, no cookie.
 */
export function sendWrongName(reply: FastifyReply, address: string, headers: IncomingHttpHeaders): FastifyReply {
  const { text, language } = /^de\b/i.test(headers['accept-language'] ?? '') ? TEXTS.de : TEXTS.en
  const say = (key: string) => text(`wrongName.${key}`, { address })
  return reply
    .code(421)
    .headers({
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      vary: 'accept, accept-language',
    })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
        `<meta name="viewport" content="width=device-width"><title>${say('title')}</title>` +
        `<h1>${say('title')}</h1><p><a href="${address}">${address}</a></p><p>${say('why')}</p><p>${say('link')}</p></html>`,
    )
}
