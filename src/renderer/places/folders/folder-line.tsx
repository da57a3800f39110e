import {
  Copy,
  Ellipsis,
  FolderOpen,
  Images,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  Trash2,
  CircleAlert,
  Eye,
  MapPinned,
  Timer,
  type LucideIcon,
} from 'lucide-react'
import { t } from 'i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { FolderRow, FolderPhase } from '../../../shared/contract/folders.ts'
import { askOrToast } from '../../store/bridge.ts'
import { useCan } from '../../store/shell-store.ts'
import { countText, exactTimeText, relativeText } from '../../text/figures.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { FileName } from '../../parts/file-name.tsx'
import { Menu, useContextMenu } from '../../parts/menu.tsx'
import type { MenuItem } from '../../parts/menu-behind-button.tsx'
import { PathText } from '../../parts/path-text.tsx'
import { splitPath } from '../../parts/split-path.ts'
import type { JobCounts } from '../../../shared/contract/jobs.ts'
import { countIn } from '../../../shared/presentation/progress-figures.ts'
import { NO_FILTER } from '../../store/jobs-filter.ts'
import { goTo } from '../../store/view-store.ts'
import { PlaceLink } from '../../parts/place-link.tsx'
import { StateShape } from '../../parts/state-mark.tsx'
import { COUNT_GROUPS, type CountGroup } from './folder-facts.ts'
import { recipeName } from '../../recipe/recipe-name.ts'
import { copyText } from '../../store/copy-text.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { toastWithUndo, toast } from '../../store/toasts.ts'
import { pickFolder } from '../../pickers/pick-folder.tsx'

/** One watched folder. Its name leads to its pictures; the arrow keys stop there only. */
export function FolderLine({ folder, nowMs, onEdit }: { folder: FolderRow; nowMs: number; onEdit: () => void }) {
  const { id, path, recipe, state, counts, lastEventAtMs } = folder
  const { name, parent } = splitPath(path)
  const last = lastEventAtMs === null ? t('folders:noEvent') : relativeText(lastEventAtMs, nowMs)
  const items = useFolderMenu(folder, onEdit)
  const { onContextMenu, menu } = useContextMenu(items)
  return (
    <div className="folders-line" role="row" data-folder={id} onContextMenu={onContextMenu}>
      {menu}
      <div className="folders-first" role="rowheader">
        <PlaceLink
          to={{ place: 'jobs', filter: { ...NO_FILTER, folderId: id } }}
          className="folders-open"
          draggable={false}
        >
          <FileName name={name} className="folders-name" />
          <PathText path={parent} whole={path} className="secondary" />
        </PlaceLink>
      </div>
      <bdi className="folders-recipe ellipsis secondary" role="cell" title={recipeName(recipe.name)}>
        {recipeName(recipe.name)}
      </bdi>
      <FolderState state={isUnreadable(folder) ? 'unreadable' : state} />
      <FolderCounts folderId={id} counts={counts} />
      <span
        className="folders-last ellipsis secondary"
        role="cell"
        title={lastEventAtMs === null ? undefined : exactTimeText(lastEventAtMs)}
      >
        {last}
      </span>
      <FolderButtons folder={folder} name={name} items={items} onEdit={onEdit} />
      <FolderWhy folder={folder} />
    </div>
  )
}

/** The folder exists, but its contents cannot be read. */
const isUnreadable = ({ state, because }: FolderRow) =>
  state === 'missing' && (because?.code === 'no_permission' || because?.code === 'unreadable')

function FolderWhy({ folder }: { folder: FolderRow }) {
  const { state, because, leftOut } = folder
  const isBad = state === 'missing' || state === 'refused'
  return (
    <>
      {because === null ? null : (
        <p role="cell" className={isBad ? 'folders-why secondary bad' : 'folders-why secondary'}>
          {t(`folders:reason.${because.code}`, because.values)}
          {state === 'missing'
            ? ` ${t(isUnreadable(folder) ? 'folders:unreadableMeans' : 'folders:missingMeans')} `
            : ''}
          {state === 'missing' && !isUnreadable(folder) ? (
            <Button onClick={() => locateFolder(folder)}>{t('folders:locate')}</Button>
          ) : null}
        </p>
      )}
      {leftOut.count === 0 ? null : (
        <div role="cell" className="folders-why secondary">
          {t('folders:leftOut', { count: leftOut.count })}
          <ul>
            {leftOut.first.map(({ path, reason }) => (
              <li key={`${path} ${reason.code}`}>
                {path === '' ? null : (
                  <>
                    <bdi>{straightText(path)}</bdi>:{' '}
                  </>
                )}
                {t(`folders:reason.${reason.code}`, reason.values)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

const ICON = { size: 16, 'aria-hidden': true } as const

const mayScan = ({ paused, state }: FolderRow) => !paused && state !== 'reconciling' && state !== 'starting'

function useFolderMenu(folder: FolderRow, onEdit: () => void): (MenuItem | null)[] {
  const canReveal = useCan('reveal')
  const { id, path, paused, state, token } = folder
  return [
    {
      label: t('folders:openPictures'),
      icon: <Images {...ICON} />,
      onSelect: () => goTo('jobs', { jobsFilter: { folderId: id } }),
    },
    { label: t('recipe:choice.edit'), icon: <Pencil {...ICON} />, onSelect: onEdit },
    {
      label: t('folders:scanItem'),
      icon: <RefreshCw {...ICON} />,
      disabled: !mayScan(folder),
      onSelect: () => rescan(folder),
    },
    {
      label: t(paused ? 'folders:resumeItem' : 'frame:pause.label'),
      icon: paused ? <Play {...ICON} /> : <Pause {...ICON} />,
      onSelect: () => setPaused(folder, !paused),
    },
    null,
    ...(canReveal && state !== 'missing'
      ? [
          {
            label: t('jobs:reveal'),
            icon: <FolderOpen {...ICON} />,
            onSelect: () => askOrToast('places.reveal', { path: token }),
          },
        ]
      : []),
    {
      label: t('folders:locate'),
      icon: <MapPinned {...ICON} />,
      onSelect: () => locateFolder(folder),
    },
    { label: t('detail:outputs.copyPath'), icon: <Copy {...ICON} />, onSelect: () => copyText(path) },
    null,
    {
      label: t('folders:remove'),
      icon: <Trash2 {...ICON} />,
      danger: true,
      onSelect: () => removeFolder(folder),
    },
  ]
}

interface FolderButtonsProps {
  folder: FolderRow
  name: string
  items: readonly (MenuItem | null)[]
  onEdit: () => void
}

function FolderButtons({ folder, name, items, onEdit }: FolderButtonsProps) {
  const { paused } = folder
  return (
    <span className="folders-buttons" role="cell">
      <IconButton label={t('folders:edit', { name })} className="folders-wide" onClick={onEdit}>
        <Pencil {...ICON} />
      </IconButton>
      <IconButton
        label={t(paused ? 'folders:resume' : 'folders:pause', { name })}
        className="folders-wide"
        onClick={() => setPaused(folder, !paused)}
      >
        {paused ? <Play {...ICON} /> : <Pause {...ICON} />}
      </IconButton>
      <Menu items={items}>
        <IconButton label={t('recipe:section.more', { name })}>
          <Ellipsis {...ICON} />
        </IconButton>
      </Menu>
    </span>
  )
}

const LOOK: Record<FolderPhase | 'unreadable', { Icon: LucideIcon; colour: string }> = {
  starting: { Icon: RefreshCw, colour: 'var(--working)' },
  reconciling: { Icon: RefreshCw, colour: 'var(--working)' },
  watching: { Icon: Eye, colour: 'var(--done)' },
  polling: { Icon: Timer, colour: 'var(--waiting)' },
  paused: { Icon: Pause, colour: 'var(--secondary)' },
  missing: { Icon: CircleAlert, colour: 'var(--failed)' },
  unreadable: { Icon: CircleAlert, colour: 'var(--failed)' },
  refused: { Icon: CircleAlert, colour: 'var(--failed)' },
}

function FolderState({ state }: { state: FolderPhase | 'unreadable' }) {
  const { Icon, colour } = LOOK[state]
  return (
    <span className="mark folders-state" role="cell">
      <Icon size={14} aria-hidden style={{ color: colour }} />
      <span className="ellipsis">{t(`folders:state.${state}`)}</span>
    </span>
  )
}

const GROUPS = Object.keys(COUNT_GROUPS) as CountGroup[]

function FolderCounts({ folderId, counts }: { folderId: string; counts: JobCounts }) {
  return (
    <span className="folders-counts figures" role="cell">
      {GROUPS.map((group) => {
        const count = countIn(counts, COUNT_GROUPS[group])
        if (count === 0) return <span key={group} />
        const label = t('common:pair', { what: t(`jobs:chip.${group}`), value: count })
        return (
          <PlaceLink
            key={group}
            data-tip={label}
            to={{ place: 'jobs', filter: { ...NO_FILTER, folderId, states: COUNT_GROUPS[group] } }}
            className="folders-count"
            aria-label={label}
          >
            <StateShape state={group === 'working' ? 'waiting' : group} size={11} />
            {countText(count)}
          </PlaceLink>
        )
      })}
    </span>
  )
}

function setPaused({ id }: FolderRow, paused: boolean): void {
  inBackground(() => askOrToast('folders.update', { id, changes: { paused } }))
}

/** Scans the folder at once. The toast is the only sign of it if nothing is new. */
async function rescan({ id, path }: FolderRow): Promise<void> {
  const done = await askOrToast('folders.reconcile', { id })
  if (done !== null) toast(t('folders:scanned', { name: splitPath(path).name }))
}

/** Asks where a folder is that a person has moved, and watches it there. */
async function locateFolder({ id, path }: FolderRow): Promise<void> {
  const { name } = splitPath(path)
  const picked = await pickFolder(t('folders:locateTitle', { name }))
  if (picked === null) return
  await askOrToast('folders.locate', { id, path: picked.token })
}

export async function removeFolder({ id, path }: FolderRow): Promise<void> {
  const removed = await askOrToast('folders.remove', { id })
  if (removed === null) return
  toastWithUndo(t('folders:removed', { name: splitPath(path).name }), () => askOrToast('folders.putBack', { id }))
}
