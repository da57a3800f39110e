import { cloneElement, lazy, Suspense, useState } from 'react'
import { inBackground } from '../store/in-background.ts'
import type { MenuProps } from './open-menu.tsx'

const load = () => import('./open-menu.tsx')
const OpenMenu = lazy(load)
const fetchSoon = () => inBackground('menu.load', load)

/** A menu that its child opens. What menus are made of is fetched when the first is about to be opened. */
export function Menu({ items, children }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = cloneElement(children, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: fetchSoon,
    onFocus: fetchSoon,
    onClick: () => setWanted(true),
  })
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <OpenMenu items={items}>{children}</OpenMenu>
    </Suspense>
  )
}
