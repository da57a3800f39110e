import { Download, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { t } from 'i18next'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import type { JobDetail, OutputRow } from '../../../../shared/contract/jobs.ts'
import { downloadPath } from '../../../../shared/contract/page-bridge.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { renameFiles, restoreOriginals } from '../../../store/jobs-actions.ts'
import { useCan } from '../../../store/shell-store.ts'
import { sizeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { Question } from '../../../parts/question.tsx'
import { FileName } from '../../../parts/file-name.tsx'
import { resourceUrl } from '../../../bridge/resource-url.ts'
import './files.css'

interface FileLine extends Pick<OutputRow, 'name' | 'path' | 'state' | 'sizeBytes'> {
  index: number | null
  role: OutputRow['role'] | 'original'
}

export function Files({ detail }: { detail: JobDetail }) {
  const { row, path, outputs } = detail
  const canDrag = useCan('startDrag')
  const original: FileLine = {
    index: null,
    role: 'original',
    state: 'published',
    name: row.name,
    path,
    sizeBytes: row.sizeBytes,
  }
  return (
    <>
      <ul className="files" title={canDrag ? t('detail:outputs.dragHint') : undefined}>
        {[original, ...outputs].map((file) => (
          <File key={file.index ?? 'original'} id={row.id} file={file} canDrag={canDrag} />
        ))}
      </ul>
      {row.replaced || detail.restorable ? <Restore id={row.id} isPossible={detail.restorable} /> : null}
    </>
  )
}

/** Offers to rename results that have the name from before the suggested one was edited. */
export function Renames({ id, outputs }: { id: string; outputs: readonly OutputRow[] }) {
  const waiting = outputs.filter(({ renameTo }) => renameTo !== undefined)
  if (waiting.length === 0) return null
  const many = { count: waiting.length }
  return (
    <div className="renames stack snug">
      <p>{t('detail:renames.offer', many)}</p>
      <ul className="mono breaks">
        {waiting.map(({ index, name, renameTo }) => (
          <li key={index}>
            <bdi>{straightText(name)}</bdi> <span aria-hidden>→</span>{' '}
            <span className="unseen">{t('detail:renames.to')}</span> <bdi>{straightText(renameTo ?? '')}</bdi>
          </li>
        ))}
      </ul>
      <p className="caption">{t('detail:renames.means')}</p>
      <Button onClick={() => renameFiles(id)}>{t('detail:renames.do', many)}</Button>
    </div>
  )
}

function File({ id, file, canDrag }: { id: string; file: FileLine; canDrag: boolean }) {
  const { index, role, name, path, state, sizeBytes } = file
  const canReveal = useCan('reveal')
  const canDownload = useCan('download')
  const isThere = state === 'published'
  return (
    <li
      className={isThere ? 'file' : 'file absent'}
      draggable={canDrag && isThere}
      onDragStart={(event) => {
        event.preventDefault()
        inBackground(() => askOrToast('outputs.drag', { items: [{ id, index }] }))
      }}
    >
      <span className="caption">{t(`detail:outputs.${role}`)}</span>
      <FileName name={name} />
      <span className="caption figures">
        {state === 'missing'
          ? t('detail:outputs.missing')
          : state === 'planned'
            ? t('detail:outputs.planned')
            : sizeText(sizeBytes)}
      </span>
      <span className="file-buttons">
        {canReveal && isThere ? (
          <IconButton label={t('jobs:reveal')} of={name} onClick={() => askOrToast('outputs.reveal', { id, index })}>
            <FolderOpen size={14} aria-hidden />
          </IconButton>
        ) : null}
        {canDownload && isThere ? (
          <a
            className="button icon quiet"
            href={resourceUrl(downloadPath(id, index))}
            download={straightText(name)}
            title={t('detail:outputs.download')}
            aria-label={`${t('detail:outputs.download')}: ${straightText(name)}`}
          >
            <Download size={14} aria-hidden />
          </a>
        ) : null}
        <CopyButton text={path} name={t('detail:outputs.copyPath')} of={name} />
      </span>
    </li>
  )
}

/** Restores a replaced original; asks first if that would overwrite a file that has changed since. */
function Restore({ id, isPossible }: { id: string; isPossible: boolean }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="row apart">
      <p className="secondary">{t('detail:outputs.replaced')}</p>
      <Button disabled={!isPossible} onClick={() => restoreOriginals([id], { onChanged: () => setAsking(true) })}>
        {t('detail:outputs.restore')}
      </Button>
      {isAsking ? (
        <Question
          title={t('detail:outputs.restoreForceTitle')}
          text={t('detail:outputs.restoreForceText')}
          yes={t('detail:outputs.restoreForce')}
          onNo={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            return restoreOriginals([id], { force: true })
          }}
        />
      ) : null}
    </div>
  )
}
