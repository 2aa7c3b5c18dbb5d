import type { MouseEvent, ReactElement, Ref } from 'react'
import { Button } from './button.tsx'

interface IconButtonProps {
  label: string
  icon: ReactElement
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  /** A tooltip in place of the label, for buttons where the label would repeat the text beside them. */
  title?: string
  className?: string
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-haspopup'?: 'dialog'
  'aria-pressed'?: boolean
}

/** A small button with an icon only; the label is its accessible name and its tooltip. */
export function IconButton({ label, ...passed }: IconButtonProps) {
  return (
    <Button
      type="button"
      size="sm"
      shape="square"
      variant={passed['aria-pressed'] ? 'secondary' : 'ghost'}
      aria-label={label}
      title={label}
      {...passed}
    />
  )
}
