import { gatesText } from '../../text/gates.en.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { OtherOrganizations } from './other-organizations.tsx'

/** Says that the requested page may exist in another organization of the user. */
export function OtherOrganizationNote() {
  return (
    <div className="mt-6 w-80 max-w-full empty:hidden">
      <OtherOrganizations title={gatesText.switchTitle} hint={words.elsewhere} />
    </div>
  )
}
