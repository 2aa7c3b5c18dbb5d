import { href } from '../../routes.ts'
import { shipText } from '../../text/shipping.en.ts'

/** Says of a local address that nobody else can open it, and where that is changed. */
export function OnlyHere() {
  return (
    <p className="text-[13px] text-kumo-subtle">
      {shipText.onlyHere}{' '}
      <a href={href.connections()} className="text-kumo-link underline underline-offset-3">
        {shipText.toInternet}
      </a>
    </p>
  )
}
