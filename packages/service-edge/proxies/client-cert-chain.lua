-- What a TPP sent along with its certificate, as the list of RFC 9440 section 2.3: HAProxy itself has it only as DER, one
-- after the other. The leaf does not belong to it.

-- The services look at paths of five authorities at most, the last of which is an anchor of their own.
local LIMIT = 4

-- How many bytes a DER element takes that begins at `at`; nothing where none does.
local function size_of(der, at)
    local first = der:byte(at + 1)
    if der:byte(at) ~= 0x30 or first == nil then return nil end
    if first < 0x80 then return 2 + first end
    local octets = first - 0x80
    local length = 0
    for i = 1, octets do
        local octet = der:byte(at + 1 + i)
        if octet == nil or octets > 3 then return nil end
        length = length * 256 + octet
    end
    return 2 + octets + length
end

core.register_fetches("client_cert_chain", function(txn)
    local leaf = txn.f:ssl_c_der()
    local der = txn.f:ssl_c_chain_der() or ""
    local members = {}
    local at = 1
    while at <= #der and #members < LIMIT do
        local size = size_of(der, at)
        if size == nil then return "" end
        local certificate = der:sub(at, at + size - 1)
        if certificate ~= leaf then members[#members + 1] = ":" .. txn.c:base64(certificate) .. ":" end
        at = at + size
    end
    return table.concat(members, ", ")
end)
