import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-behind-button.tsx'

const MenuBehindButton = lazy(() => import('./menu-behind-button.tsx'))

/**
 * A menu that its child opens. What menus are made of is not in the first load: it is fetched when the first button shows, which
 * can be pressed meanwhile.
 */
export function Menu({ items, children }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = cloneElement(children, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
  })
  return (
    <Suspense fallback={button}>
      <MenuBehindButton items={items} isOpenAtOnce={isWanted}>
        {children}
      </MenuBehindButton>
    </Suspense>
  )
}
