import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { firstLanguageOf, type TextLanguage } from '../../shared/text/text-language.ts'
import { createTexts } from '../page/texts.ts'

/** Whether the request is a browser navigating to a page, and not a script or program. */
export function asksForPage({ accept, upgrade }: IncomingHttpHeaders): boolean {
  return upgrade === undefined && accept?.includes('text/html') === true
}

/**
 * Status 421 for a browser that used a name that Hangar does not answer to: a page that says where Hangar is. It is not
 * a redirect, and has nothing of Hangar's own page: no script, no cookie.
 */
export function sendWrongName(reply: FastifyReply, address: string, headers: IncomingHttpHeaders): FastifyReply {
  const { text, language } = createTexts('', wantedBy(headers))
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

/** The first supported language of `Accept-Language`, which browsers send in order of preference. */
function wantedBy(headers: IncomingHttpHeaders): TextLanguage {
  return firstLanguageOf((headers['accept-language'] ?? '').split(',').map((range) => range.split(';')[0]!.trim()))
}
