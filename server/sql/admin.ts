/** A left join, because the organization `o` may have no settings. */
export const JOIN_SETTINGS = 'left join organization_settings s on s.org_id = o.id'
