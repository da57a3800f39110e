import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { JobDetail, JobRow } from '../../../../shared/contract/jobs.ts'
import type { TextDraft, TextView } from '../../../../shared/contract/texts.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { useOnPaper } from '../../../parts/use-on-paper.ts'
import { typedTexts } from '../../../store/typed-texts.ts'
import { changeText, exactTimeText, sizeText } from '../../../text/figures.ts'
import { inOneLine, stateTexts, useLineWords } from '../line-words.ts'
import { useLanguageName } from './alt-text.tsx'
import { bytesOf, laterKinds, pictureAddress } from './picture-address.ts'
import { Facts } from './facts.tsx'
import { Notes } from './notes.tsx'
import { textNow } from './use-alt-text.ts'
import '../../../parts/paper.css'
import './picture-sheet.css'

/** The open job on paper: its pictures, its texts whole and as they are typed now, and its files. */
export function PictureSheet({ detail }: { detail: JobDetail }) {
  return useOnPaper() ? createPortal(<Sheet detail={detail} />, document.body) : null
}

function Sheet({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation(['detail', 'jobs'])
  const words = useLineWords()
  const { row, texts, drafts } = detail
  const { state, beside, said } = stateTexts(row, words)
  const marks = [
    row.practice && words.marksPractice ? t('jobs:practice') : '',
    detail.decorative ? t('texts.decorative') : '',
    row.review === 'reviewed' ? t('texts.reviewed') : row.review === 'needed' ? t('jobs:toReview') : '',
    exactTimeText(row.updatedAtMs, words.language),
  ]
  return (
    <section className="paper picture-sheet">
      <h1 dir="auto">{straightText(row.name)}</h1>
      <p>
        <bdi>{straightText(row.dir)}</bdi>
      </p>
      <p>
        <b>{state}</b> {inOneLine([beside ?? '', said])}
      </p>
      <p>{marks.filter(Boolean).join(' · ')}</p>
      <Pictures row={row} language={words.language} />
      {texts.length === 0 ? null : (
        <Part title={t('texts.title')}>
          {texts.map((text) => (
            <Text key={text.languageCode} jobId={row.id} text={text} drafts={drafts} />
          ))}
        </Part>
      )}
      <Part title={t('outputs.title')}>
        <ul>
          {detail.outputs.map(({ index, role, name, sizeBytes, state: fileState }) => (
            <li key={index}>
              {t(`outputs.${role}`)}: <bdi>{straightText(name)}</bdi>
              {' · '}
              {fileState === 'published' ? sizeText(sizeBytes, words.language) : t(`outputs.${fileState}`)}
            </li>
          ))}
        </ul>
      </Part>
      <Notes notes={detail.notes} />
      <Facts detail={detail} />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="detail-part">
      <div className="detail-part-head">
        <h3>{title}</h3>
      </div>
      {children}
    </section>
  )
}

/** The two that the window shows first: only pictures that have loaded already are printed. */
function Pictures({ row, language }: { row: JobRow; language: string }) {
  const { t } = useTranslation('detail')
  const kinds = ['original' as const, ...laterKinds(row).slice(0, 1)]
  const caption = (kind: (typeof kinds)[number]) => {
    const bytes = bytesOf(row, kind)
    if (bytes === null) return t(`compare.${kind}`)
    const change = kind === 'original' ? '' : changeText(row.sizeBytes, bytes, language)
    return [t(`compare.${kind}`), sizeText(bytes, language), change].filter(Boolean).join(' · ')
  }
  return (
    <div className="picture-sheet-pictures">
      {kinds.map((kind) => (
        <figure key={kind}>
          <img src={pictureAddress(row, kind)} alt="" />
          <figcaption>{caption(kind)}</figcaption>
        </figure>
      ))}
    </div>
  )
}

function Text({ jobId, text, drafts }: { jobId: string; text: TextView; drafts: readonly TextDraft[] }) {
  const { t } = useTranslation('detail')
  const { languageCode, original, seoFilename } = text
  const language = useLanguageName(languageCode)
  const { value, isDraft } = textNow(typedTexts.view({ jobId, languageCode }), text, drafts)
  return (
    <div className="picture-sheet-text">
      <h4>
        {language}
        {isDraft ? ` · ${t('texts.draft')}` : null}
      </h4>
      <p lang={languageCode} dir="auto">
        {value === '' ? t('texts.none') : straightText(value)}
      </p>
      {original === null ? null : (
        <p className="caption" lang={languageCode} dir="auto">
          {t('texts.serviceWords', { text: straightText(original) })}
        </p>
      )}
      {seoFilename === '' ? null : (
        <p className="caption">
          {t('texts.seoName')}: <bdi>{straightText(seoFilename)}</bdi>
        </p>
      )}
    </div>
  )
}
