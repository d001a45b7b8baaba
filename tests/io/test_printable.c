/* Text from elsewhere becomes harmless, and other text stays as it is. */
#include "base/printable.h"
#include "check.h"

/* A sign after which a line is written from right to left; compilers warn of it in a literal. */
static const char turned[] = {(char)0xe2, (char)0x80, (char)0xae, 'e', 'x', 'e', '\0'};

static void check_text(const char *text, bool lines, const char *expected) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    scr_make_printable(copy, lines);
    CHECK(strcmp(copy, expected) == 0);
    if (strcmp(copy, expected) != 0) {
        fprintf(stderr, "    '%s', not '%s'\n", copy, expected);
    }
}

static void plain_text_stays(void) {
    check_text("", false, "");
    check_text("heap.h5: cannot open: No such file", false, "heap.h5: cannot open: No such file");
    check_text("Schüttgut, 砂, \U0001F3D6 5 µm \u2013 \"=1+1\"", false,
               "Schüttgut, 砂, \U0001F3D6 5 µm \u2013 \"=1+1\"");
    check_text("one\ntwo\n", true, "one\ntwo\n");
}

static void what_terminals_obey_goes(void) {
    check_text("\033]0;mine\007\033[2J", false, "?]0;mine??[2J");
    check_text("a\tb\r\nc\x7f", false, "a b  c?");
    check_text("a\tb\r\nc", true, "a b \nc");
    check_text("\xc2\x9b"
               "31m",
               false, "?31m"); /* an escape sequence in one character */
    check_text(turned, false, "?exe");
    check_text("a\u200B\uFEFF", false, "a??"); /* unseen */
    check_text("\u2028\u00AD", false, "??");
}

static void broken_characters_go(void) {
    check_text("\xff\xfe", false, "??");
    check_text("caf\xe9", false, "caf?");
    check_text("\xc3", false, "?"); /* cut off */
    check_text("\xe2\x82", false, "??");
    check_text("\xc0\xaf", false, "??");           /* overlong */
    check_text("\xed\xa0\x80", false, "???");      /* a surrogate */
    check_text("\xf4\x90\x80\x80", false, "????"); /* above 10FFFF */
    check_text("\xc3\xc3\xa4", false, "?\xc3\xa4");
}

static void names_are_no_formulas(void) {
    static const char *const cases[][2] = {{"stone-2_a.left", "stone-2_a.left"},
                                           {"-x", "-x"},
                                           {"all of it", "all of it"},
                                           {"Korn ä", "Korn ä"},
                                           {"=1+1", "?1+1"},
                                           {"+1", "?1"},
                                           {"-1+1", "?1+1"},
                                           {"@x\r\n=2", "?x  =2"},
                                           {"\t=1", "?=1"},
                                           {"\033[0m", "?[0m"},
                                           {"a=1", "a=1"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s", cases[i][0]);
        scr_make_name(name);
        CHECK(strcmp(name, cases[i][1]) == 0);
    }
}

static void check_json(const char *text, const char *expected) {
    char all[256] = "", one[SCR_JSON_MOST];
    while (*text != '\0') {
        text += scr_json_character(text, one);
        strcat(all, one);
    }
    CHECK(strcmp(all, expected) == 0);
}

static void json_is_sound(void) {
    check_json("plain ä", "plain ä");
    check_json("\"\\", "\\\"\\\\");
    check_json("</script>", "\\u003c/script>");
    check_json("\n\033\xff", "\\u000a\\u001b\\ufffd");
    check_json("\xc2\x9b", "\\u009b");
    check_json(turned, "\\u202eexe");
    char one[SCR_JSON_MOST];
    CHECK(scr_json_character("", one) == 1 && strcmp(one, "\\u0000") == 0);
}

int main(int argc, char **argv) {
    CHECK_RUN(plain_text_stays);
    CHECK_RUN(what_terminals_obey_goes);
    CHECK_RUN(broken_characters_go);
    CHECK_RUN(names_are_no_formulas);
    CHECK_RUN(json_is_sound);
    return check_result();
}
