/** SQL that joins as `s` the settings of the organization `o`; they may be missing. */
export const JOIN_SETTINGS = 'left join organization_settings s on s.org_id = o.id'
