import { Download, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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
import { viewed } from '../../../bridge/viewed.ts'
import './files.css'

interface FileLine extends Pick<OutputRow, 'name' | 'path' | 'sizeBytes'> {
  index: number | null
  role: OutputRow['role'] | 'original'
  state: OutputRow['state']
}

/** The original and its outputs, with actions for each. */
export function Files({ detail }: { detail: JobDetail }) {
  const { t } = useTranslation('detail')
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
      <ul className="files" title={canDrag ? t('outputs.dragHint') : undefined}>
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
  const { t } = useTranslation('detail')
  const waiting = outputs.filter(({ renameTo }) => renameTo !== undefined)
  if (waiting.length === 0) return null
  const many = { count: waiting.length }
  return (
    <div className="renames">
      <p>{t('renames.offer', many)}</p>
      <ul className="renames-names mono">
        {waiting.map(({ index, name, renameTo }) => (
          <li key={index}>
            <bdi>{straightText(name)}</bdi> <span aria-hidden>→</span> <span className="unseen">{t('renames.to')}</span>{' '}
            <bdi>{straightText(renameTo ?? '')}</bdi>
          </li>
        ))}
      </ul>
      <p className="caption">{t('renames.means')}</p>
      <Button onClick={() => renameFiles(id)}>{t('renames.do', many)}</Button>
    </div>
  )
}

function File({ id, file, canDrag }: { id: string; file: FileLine; canDrag: boolean }) {
  const { t, i18n } = useTranslation('detail')
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
      <span className="caption">{t(`outputs.${role}`)}</span>
      <FileName name={name} />
      <span className="caption figures">
        {state === 'missing'
          ? t('outputs.missing')
          : state === 'planned'
            ? t('outputs.planned')
            : sizeText(sizeBytes, i18n.language)}
      </span>
      <span className="file-buttons">
        {canReveal && isThere ? (
          <IconButton label={t('outputs.reveal')} of={name} onClick={() => askOrToast('outputs.reveal', { id, index })}>
            <FolderOpen size={14} aria-hidden />
          </IconButton>
        ) : null}
        {canDownload && isThere ? (
          <a
            className="button icon quiet"
            href={viewed(downloadPath(id, index))}
            download={straightText(name)}
            title={t('outputs.download')}
            aria-label={`${t('outputs.download')}: ${straightText(name)}`}
          >
            <Download size={14} aria-hidden />
          </a>
        ) : null}
        <CopyButton text={path} name={t('outputs.copyPath')} of={name} />
      </span>
    </li>
  )
}

/** Restores a replaced original; asks first if that would overwrite a file that has changed since. */
function Restore({ id, isPossible }: { id: string; isPossible: boolean }) {
  const { t } = useTranslation('detail')
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="row apart">
      <p className="secondary">{t('outputs.replaced')}</p>
      <Button disabled={!isPossible} onClick={() => restoreOriginals([id], { onChanged: () => setAsking(true) })}>
        {t('outputs.restore')}
      </Button>
      {isAsking ? (
        <Question
          title={t('outputs.restoreForceTitle')}
          text={t('outputs.restoreForceText')}
          yes={t('outputs.restoreForce')}
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
