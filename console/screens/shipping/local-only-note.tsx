import { href } from '../../routes.ts'
import { shipText } from '../../text/shipping.en.ts'

/** Says that other computers cannot open a local address, and links to the page that connects a cloud account. */
export function LocalOnlyNote() {
  return (
    <p className="text-[13px] text-kumo-subtle">
      {shipText.onlyHere}{' '}
      <a href={href.connections()} className="text-kumo-link underline underline-offset-3">
        {shipText.toInternet}
      </a>
    </p>
  )
}
