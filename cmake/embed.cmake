# embed.cmake - the printed tables (papers/*.csv) as constants in C, so that the command needs no files
#   cmake -DOUT=papers.c -DCSV=a.csv;b.csv -P embed.cmake
set(arrays "")
set(list "")
foreach(file ${CSV})
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} array)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n  " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char ${array}[] = {\n  ${bytes}0\n};\n")
  string(APPEND list "  {\"${name}\", ${array}},\n")
endforeach()
file(WRITE ${OUT} "#include \"papers.h\"\n${arrays}const printed PAPERS[] = {\n${list}  {0}\n};\n")
