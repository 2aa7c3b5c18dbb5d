import type { ButtonHTMLAttributes } from 'react'
import { Link, type LinkProps } from '../web/navigation.tsx'

type Kind = 'primary' | 'plain' | 'danger'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is for the one main action of a page. Default: `primary` for a submit button, otherwise `plain`. */
  kind?: Kind | undefined
  /** `small` is for rows and cards. */
  size?: 'small' | undefined
  /** Shows progress and ignores further presses. */
  busy?: boolean | undefined
}

/** A button. Name its action with verb and noun ("Add plant"). */
export function Button({
  type = 'button',
  kind = type === 'submit' ? 'primary' : 'plain',
  size,
  busy = false,
  children,
  className,
  ...rest
}: ButtonProps) {
  const { disabled, onClick } = rest
  return (
    <button
      {...rest}
      type={type}
      className={classesOf(kind, size, className)}
      // Not `disabled`, because a disabled button loses the focus while it works.
      aria-disabled={busy || disabled === true}
      aria-busy={busy}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link that looks like a button: for navigation; a button acts. */
export function LinkButton({
  kind = 'plain',
  size,
  className,
  ...rest
}: LinkProps & Pick<ButtonProps, 'kind' | 'size'>) {
  return <Link {...rest} className={classesOf(kind, size, className)} />
}

const classesOf = (kind: Kind, size: ButtonProps['size'], own: string | undefined): string =>
  ['button', `button-${kind}`, size && `button-${size}`, own].filter(Boolean).join(' ')
