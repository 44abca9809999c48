// An evening that came inside a link: see step "share".
export function showEvening() {}
