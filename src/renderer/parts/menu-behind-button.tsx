import { DropdownMenu } from 'radix-ui'
import { Check } from 'lucide-react'
import { useContext, useEffect, useRef, type ReactElement, type ReactNode } from 'react'
import { Floor } from './floor.ts'

export interface MenuItem {
  label: ReactNode
  onSelect: () => unknown
  icon?: ReactNode
  disabled?: boolean
  danger?: boolean
  /** Of several of which one is chosen. */
  isChosen?: boolean
}

export interface MenuProps {
  /** Null is a separator. */
  items: readonly (MenuItem | null)[]
  align?: 'start' | 'end'
  children: ReactElement<React.ButtonHTMLAttributes<HTMLButtonElement>>
}

interface LoadedMenuProps extends MenuProps {
  /** How the button was pressed before this component had loaded. */
  press: 'keydown' | 'pointerdown' | null
}

export default function MenuBehindButton({ items, align = 'end', children, press }: LoadedMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  // Repeated, so that the menu opens as it does for any such press: by a key, with its first item focused.
  useEffect(() => {
    if (press === 'keydown') trigger.current?.dispatchEvent(new KeyboardEvent(press, { key: 'Enter', bubbles: true }))
    else if (press !== null) trigger.current?.dispatchEvent(new PointerEvent(press, { bubbles: true }))
  }, [press])
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild ref={trigger}>
        {children}
      </DropdownMenu.Trigger>
      <MenuContent items={items} align={align} />
    </DropdownMenu.Root>
  )
}

/** A menu that opens by itself at a point of the window, as on a right click. */
export function MenuAt(
  given: Pick<MenuProps, 'items'> & { x: number; y: number; byKey: boolean; onClose: () => void },
) {
  const { x, y, byKey, items, onClose } = given
  // The press is repeated, so that the first item has the focus.
  useEffect(() => {
    if (byKey) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ContextMenu' }))
  }, [byKey])
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={onClose}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden style={{ position: 'fixed', left: x, top: y }} />
      </DropdownMenu.Trigger>
      <MenuContent items={items} align="start" onCloseAutoFocus={(event) => event.preventDefault()} />
    </DropdownMenu.Root>
  )
}

function MenuContent({ items, ...rest }: Pick<MenuProps, 'items'> & DropdownMenu.DropdownMenuContentProps) {
  const floor = useContext(Floor)
  return (
    <DropdownMenu.Portal container={floor}>
      <DropdownMenu.Content className="menu" {...rest} sideOffset={4} collisionPadding={8}>
        {items.map((item, n) =>
          item === null ? (
            <DropdownMenu.Separator key={n} className="menu-line" />
          ) : (
            <DropdownMenu.Item
              key={n}
              className={item.danger === true ? 'menu-item danger' : 'menu-item'}
              {...(item.isChosen === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
            >
              {item.isChosen === undefined ? (
                item.icon
              ) : (
                <Check size={14} aria-hidden opacity={item.isChosen ? 1 : 0} />
              )}
              {item.label}
            </DropdownMenu.Item>
          ),
        )}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  )
}
